"""The messages of a .proto file as Markdown tables: name, type, number and comment of each field."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

Place = tuple[int, ...]
"""The path of an element in a file, as in SourceCodeInfo: field numbers of descriptor.proto, and indices."""
_FIELDS, _NESTED, _VALUES = 2, 3, 2
_MESSAGES, _ENUMS = 4, 5


def messages_of(root: Path, name: str) -> str:
    """Returns tables of every enum and message in a file below this folder."""
    file = compile_descriptor(root, name)
    comments = comments_of(file)
    enums = [_enum(enum, (_ENUMS, index), comments) for index, enum in enumerate(file.enum_type)]
    messages = [_message(message, (_MESSAGES, index), comments) for index, message in enumerate(file.message_type)]
    return "\n\n".join([*enums, *messages])


def compile_descriptor(root: Path, name: str) -> FileDescriptorProto:
    """Compiles a file to its descriptor, with comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "descriptor")
        options = [f"-I{root}", "--include_source_info", f"--descriptor_set_out={out}"]
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *options, name], check=True)
        return FileDescriptorSet.FromString(out.read_bytes()).file[0]


def comments_of(file: FileDescriptorProto) -> Mapping[Place, str]:
    """Returns the comment above or after each element, in one line."""
    return {
        tuple(location.path): " ".join(f"{location.leading_comments} {location.trailing_comments}".split())
        for location in file.source_code_info.location
    }


def _enum(enum: EnumDescriptorProto, place: Place, comments: Mapping[Place, str]) -> str:
    rows = [
        f"| `{value.name}` | {value.number} | {_cell(comments.get((*place, _VALUES, index), ''))} |"
        for index, value in enumerate(enum.value)
    ]
    return "\n".join([*_heading(enum.name, place, comments), "| value | number | means |", "|---|---:|---|", *rows])


def _message(message: DescriptorProto, place: Place, comments: Mapping[Place, str]) -> str:
    heading = _heading(message.name, place, comments)
    if message.nested_type:
        rows = list(_kinds(message, place, comments))
        return "\n".join([*heading, "| one of | number | fields | what happened |", "|---|---:|---|---|", *rows])
    rows = [
        f"| `{field.name}` | {_type(field)} | {field.number} | {_cell(comments.get((*place, _FIELDS, index), ''))} |"
        for index, field in enumerate(message.field)
    ]
    return "\n".join([*heading, "| field | type | number | meaning |", "|---|---|---:|---|", *rows])


def _kinds(message: DescriptorProto, place: Place, comments: Mapping[Place, str]) -> Iterator[str]:
    """Yields a row for each alternative of a message that is one of several small ones, in file order."""
    chosen = {field.type_name.rpartition(".")[2]: field for field in message.field}
    for index, kind in enumerate(message.nested_type):
        field = chosen[kind.name]
        fields = ", ".join(f"`{part.name}` {_type(part)}" for part in kind.field)
        yield f"| `{field.name}` | {field.number} | {fields} | {_cell(comments.get((*place, _NESTED, index), ''))} |"


def _heading(name: str, place: Place, comments: Mapping[Place, str]) -> list[str]:
    said = comments.get(place, "")
    return [f"### {name}", "", *([said, ""] if said else [])]


def _type(field: FieldDescriptorProto) -> str:
    kind = (
        field.type_name.rpartition(".")[2] or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    )
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {kind}"
    return f"optional {kind}" if field.proto3_optional else kind


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
