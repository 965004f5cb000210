import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface SmtpStandIn {
  /** `smtp://user:password@127.0.0.1:port` */
  readonly url: string
  /** Raw mails that were taken. */
  readonly mails: { to: string; raw: string }[]
  /** Answers by the command that they replace, used once each: `DATA` is the answer after the mail's last line. */
  readonly script: Partial<Record<'RCPT' | 'DATA' | 'AUTH', string | 'silence' | 'hang up'>>
  close(): Promise<void>
}

/** A small mail server: EHLO, AUTH PLAIN (checked), MAIL, RCPT, DATA, QUIT. */
export async function smtpStandIn(user = 'mailer', password = 'mail-secret'): Promise<SmtpStandIn> {
  const mails: SmtpStandIn['mails'] = []
  const script: SmtpStandIn['script'] = {}
  const sockets = new Set<Socket>()
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64')
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.write('220 stand-in ESMTP\r\n')
    let rest = ''
    let to = ''
    let mail: string[] | null = null
    const answer = (command: keyof SmtpStandIn['script'], usual: string): boolean => {
      const scripted = script[command]
      delete script[command]
      if (scripted === 'silence') return false
      if (scripted === 'hang up') {
        socket.destroy()
        return false
      }
      socket.write(`${scripted ?? usual}\r\n`)
      return scripted === undefined
    }
    const take = (line: string) => {
      if (mail) {
        if (line !== '.') return void mail.push(line)
        const raw = mail.join('\n')
        mail = null
        if (answer('DATA', '250 2.0.0 taken')) mails.push({ to, raw })
        return
      }
      const word = line.slice(0, 4).toUpperCase()
      if (word === 'EHLO') socket.write('250-stand-in\r\n250 AUTH PLAIN\r\n')
      else if (word === 'AUTH') answer('AUTH', line.endsWith(plain) ? '235 2.7.0 in' : '535 5.7.8 wrong')
      else if (word === 'RCPT') {
        to = /<([^>]*)>/.exec(line)?.[1] ?? ''
        answer('RCPT', '250 ok')
      } else if (word === 'DATA') {
        mail = []
        socket.write('354 go\r\n')
      } else if (word === 'QUIT') socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    }
    socket.on('data', (bytes) => {
      rest += bytes.toString('utf8')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        take(rest.slice(0, end))
        rest = rest.slice(end + 2)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    script,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
