"""`python -m docs.protocol_page`: the page anew, in its place."""

from docs.protocol_page.page import PAGE, refreshed

if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text("utf-8")), "utf-8")
