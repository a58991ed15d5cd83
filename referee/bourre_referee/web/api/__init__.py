"""The same facts for programs: JSON documents, described by OpenAPI."""
