"""The same data for programs: JSON documents, described by OpenAPI."""
