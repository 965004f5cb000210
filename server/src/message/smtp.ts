import { createTransport } from 'nodemailer'
import { type Deliver, DeliveryError } from './deliver.ts'

/** Mail by SMTP, a connection each: codes are few, and a pool of idle ones is dropped by every server. */
export function smtpMail(url: string, from: string): Deliver {
  const transport = createTransport({
    url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 8_000,
    dnsTimeout: 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return async ({ id, to, subject, text }) => {
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
    } catch (error) {
      const { code, responseCode, command, syscall } = error as { code?: string; responseCode?: number; command?: string; syscall?: string }
      const reason = [code, responseCode, command].filter(Boolean).join(' ') || 'unknown'
      // 5xx after the connection stands: this letter will never be taken. Wrong credentials are the operator's and may be mended.
      if (responseCode && responseCode >= 500 && code !== 'EAUTH') throw new DeliveryError('refused', reason)
      throw new DeliveryError(responseCode || syscall === 'connect' || code === 'EDNS' ? 'later' : 'unclear', reason)
    }
  }
}
