"""A small producer of the Arrow C data interface, as polars and pyarrow are, written from its specification."""

import ctypes

import numpy as np

P, I64, CHARS = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p


class Schema(ctypes.Structure):
    _fields_ = [("format", CHARS), ("name", CHARS), ("metadata", P), ("flags", I64), ("n_children", I64), ("children", P),
                ("dictionary", P), ("release", P), ("private_data", P)]  # fmt: skip


class Array(ctypes.Structure):
    _fields_ = [("length", I64), ("null_count", I64), ("offset", I64), ("n_buffers", I64), ("n_children", I64),
                ("buffers", P), ("children", P), ("dictionary", P), ("release", P), ("private_data", P)]  # fmt: skip


class Stream(ctypes.Structure):
    _fields_ = [("get_schema", P), ("get_next", P), ("get_last_error", P), ("release", P), ("private_data", P)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [P, CHARS, P]


def packed(flags):
    return np.packbits(np.asarray(flags, dtype=bool), bitorder="little")


def texts(values, offset=np.int32):
    data = [b"" if value is None else value.encode() for value in values]
    ends = np.concatenate([[0], np.cumsum([len(word) for word in data])]).astype(offset)
    return [ends, np.frombuffer(b"".join(data) or b"\0", dtype=np.uint8)]


class Field:
    """One column: the letter of its format and its buffers, without that of the validity."""

    def __init__(self, letter, length, buffers, valid=None, offset=0, dictionary=None, views=False):
        self.letter, self.length, self.offset, self.dictionary = letter, length, offset, dictionary
        self.valid, self.buffers, self.views = valid, buffers, views


class Producer:
    """Chunks of named fields as `__arrow_c_stream__`; counts what is still held of them."""

    alive: list = []  # its memory is Python's, and must outlive whoever reads it

    def __init__(self, names, chunks, fail=None):
        self.alive.append(self)
        self.names, self.chunks, self.fail = names, chunks, fail
        self.kept, self.next, self.held = [], 0, 0

    def _keep(self, thing):
        self.kept.append(thing)
        return thing

    def _pointers(self, structs):
        return ctypes.addressof(self._keep((P * max(1, len(structs)))(*[ctypes.addressof(s) for s in structs])))

    def _release(self, kind, field):
        self.held += 1

        def release(at):
            struct = ctypes.cast(at, ctypes.POINTER(kind)).contents
            assert struct.release, "released twice"
            setattr(struct, field, None)
            self.held -= 1

        return ctypes.cast(self._keep(ctypes.CFUNCTYPE(None, P)(release)), P).value

    def schema_of(self, name, field):
        inner = self.schema_of("", field.dictionary) if field.dictionary else None
        return self._keep(Schema(self._keep(field.letter.encode()), self._keep(name.encode()), None, 2, 0, None,
                                 ctypes.addressof(inner) if inner else None, None, None))  # fmt: skip

    def array_of(self, field):
        inner = self.array_of(field.dictionary) if field.dictionary else None
        buffers = [None if field.valid is None else packed(field.valid), *field.buffers]
        if field.views:
            buffers.append(np.array([len(part) for part in field.buffers[1:]], dtype=np.int64))
        addresses = [None if part is None else self._keep(part).ctypes.data for part in buffers]
        nulls = 0 if field.valid is None else -1
        return self._keep(Array(field.length, nulls, field.offset, len(buffers), 0,
                                ctypes.addressof(self._keep((P * len(buffers))(*addresses))), None,
                                ctypes.addressof(inner) if inner else None, None, None))  # fmt: skip

    def fill_schema(self, at):
        fields = [self.schema_of(name, field) for name, field in zip(self.names, self.chunks[0])]
        top = Schema(b"+s", b"", None, 0, len(fields), self._pointers(fields), None, self._release(Schema, "release"), None)
        ctypes.memmove(at, ctypes.addressof(top), ctypes.sizeof(top))

    def fill_array(self, at, chunk):
        fields = [self.array_of(field) for field in chunk]
        none = ctypes.addressof(self._keep((P * 1)(None)))
        top = Array(chunk[0].length, 0, 0, 1, len(fields), none, self._pointers(fields), None,
                    self._release(Array, "release"), None)  # fmt: skip
        ctypes.memmove(at, ctypes.addressof(top), ctypes.sizeof(top))

    def __arrow_c_stream__(self, requested_schema=None):
        self.next = 0

        def get_schema(stream, at):
            self.fill_schema(at)
            return 0

        def get_next(stream, at):
            if self.fail:
                return 5
            if self.next == len(self.chunks):
                ctypes.memset(at, 0, ctypes.sizeof(Array))
                return 0
            self.fill_array(at, self.chunks[self.next])
            self.next += 1
            return 0

        stream = self._keep(Stream())
        two = ctypes.CFUNCTYPE(ctypes.c_int, P, P)
        stream.get_schema = ctypes.cast(self._keep(two(get_schema)), P).value
        stream.get_next = ctypes.cast(self._keep(two(get_next)), P).value
        message = ctypes.create_string_buffer((self.fail or "").encode())
        last = ctypes.CFUNCTYPE(P, P)(lambda stream: ctypes.addressof(self._keep(message)))
        stream.get_last_error = ctypes.cast(self._keep(last), P).value
        stream.release = self._release(Stream, "release")
        return new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)


class OneArray(Producer):
    """A single column as `__arrow_c_array__`, such as a target."""

    __arrow_c_stream__ = property()  # hasattr() is False

    def __init__(self, field):
        super().__init__(["y"], [[field]])

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.schema_of("y", self.chunks[0][0]), self.array_of(self.chunks[0][0])
        schema.release, array.release = self._release(Schema, "release"), self._release(Array, "release")
        return (new_capsule(ctypes.addressof(schema), b"arrow_schema", None),
                new_capsule(ctypes.addressof(array), b"arrow_array", None))  # fmt: skip
