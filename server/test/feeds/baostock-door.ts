import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

/** BaoStock's server as its client meets it. */

const split = '\x01'
const ending = Buffer.from('<![CDATA[]]>\n')

export interface BaostockQuestion {
  readonly type: string
  readonly parts: readonly string[]
}
export type BaostockReply = { type: string; parts: readonly string[] } | 'silence' | 'hang up' | 'cut' | 'noise'

const packed = new Set(['96', '99'])
function bytesOf({ type, parts }: { type: string; parts: readonly string[] }): Buffer {
  const text = Buffer.from(parts.join(split))
  const body = packed.has(type) ? deflateSync(text) : text
  const head = Buffer.from(`00.9.40${split}${type}${split}${String(body.length).padStart(10, '0')}`)
  return Buffer.concat([head, body, Buffer.from(`${split}${crc32(Buffer.concat([head, body]))}`), ending])
}

/** Answers what the test says; checks every question's length and crc32 itself. */
export async function baostockDoor(answer: (question: BaostockQuestion) => BaostockReply) {
  const asked: BaostockQuestion[] = []
  const wrong: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    let text = ''
    socket.on('data', (part) => {
      text += part.toString('utf8')
      if (!text.endsWith('\n')) return
      const line = text.slice(0, -1)
      text = ''
      const at = line.lastIndexOf(split)
      if (String(crc32(line.slice(0, at))) !== line.slice(at + 1)) wrong.push('crc32')
      const [, type = '', length = ''] = line.slice(0, 21).split(split)
      const body = line.slice(21, at)
      if (Number(length) !== body.length) wrong.push('length')
      const question = { type, parts: body.split(split) }
      asked.push(question)
      const reply = answer(question)
      if (reply === 'silence') return
      if (reply === 'hang up') return void socket.destroy()
      if (reply === 'noise') return void socket.write(Buffer.concat([Buffer.from('<html>502</html>'), ending]))
      if (reply === 'cut') return void socket.end(bytesOf({ type: '01', parts: ['0', 'success'] }).subarray(0, 30))
      const bytes = bytesOf(reply)
      // In two pieces, the second of which is shorter than the ending.
      socket.write(bytes.subarray(0, -3))
      socket.write(bytes.subarray(-3))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    wrong,
    drop: () => {
      for (const socket of open) socket.destroy()
    },
    lines: () => open.size,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
