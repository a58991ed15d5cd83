"""`python -m docs.architecture_page`: the page anew, in its place."""

from docs.architecture_page.page import PAGE, refreshed

if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text("utf-8")), "utf-8")
