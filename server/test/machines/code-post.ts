import { alibabaStandIn } from '../stand-ins/alibaba-stand-in.ts'
import { smtpStandIn } from '../stand-ins/smtp-stand-in.ts'

/** Stand-ins for the vendors of text messages and mail, and what of codes has reached them. */
export interface CodePost {
  /** Settings of the processes that send. */
  readonly environment: Readonly<Record<string, string>>
  /** The code that has arrived at a mobile number or address; null: none yet. */
  codeAt(target: string): string | null
  close(): Promise<void>
}

const keys = { accessKeyId: 'LTAI-drill', accessKeySecret: 'drill-secret' }

export async function codePost(): Promise<CodePost> {
  const [sms, mail] = [await alibabaStandIn(keys), await smtpStandIn()]
  return {
    environment: {
      ...{ SMTP_URL: mail.url, MAIL_FROM: 'Convexa <no-reply@example.cn>', SMS_ENDPOINT: sms.endpoint },
      ...{ SMS_ACCESS_KEY_ID: keys.accessKeyId, SMS_ACCESS_KEY_SECRET: keys.accessKeySecret },
      ...{ SMS_SIGN_NAME: '凸度量化', SMS_CODE_TEMPLATE: 'SMS_1' },
    },
    codeAt(target) {
      if (!target.includes('@')) return sms.taken.findLast(({ to }) => to === target)?.params['code'] ?? null
      const raw = mail.mails.findLast(({ to }) => to === target)?.raw
      return raw === undefined ? null : (codeIn(raw) ?? null)
    },
    async close() {
      await sms.close()
      await mail.close()
    },
  }
}

/** A base64 text of a mail, or a plain one: the six digits. */
function codeIn(raw: string): string | undefined {
  const parts = raw.split('\n\n').flatMap((part) => [part, Buffer.from(part.replace(/\s/g, ''), 'base64').toString()])
  for (const part of parts) {
    const found = /(?<!\d)(\d{6})(?!\d)/.exec(part)?.[1]
    if (found && /验证码/.test(part)) return found
  }
  return undefined
}
