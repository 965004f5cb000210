/** The bytes that a base64 text stands for: a file as the wire carries it, untouched by any encoding of text. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
