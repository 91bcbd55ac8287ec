/** The protocol version that this package speaks. */
export const PROTOCOL_VERSION = '1.0';
