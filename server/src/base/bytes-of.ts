/** All bytes of a stream. `buffer` of Node's stream/consumers goes by way of a Blob, which costs more than the bytes. */
export async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
