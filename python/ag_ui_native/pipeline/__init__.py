"""The pipeline of an event stream and its stages: decoding, expansion, verification, reduction."""
