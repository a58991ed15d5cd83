"""The data of the pages for programs: JSON documents, described by OpenAPI."""
