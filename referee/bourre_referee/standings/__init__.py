"""Who is how good, and how sure that is: computed from results alone, as a table, a document, a sheet."""
