import { randomUUID } from 'node:crypto'
import type { SmsSettings } from '../config/config.ts'
import { signed } from './alibaba-signature.ts'
import { type Deliver, DeliveryError } from './deliver.ts'

const waitMs = 8_000

/** The vendor's refusals that another attempt will not change: the number, the template, the account. All others pass. */
const final =
  /^(isv\.(MOBILE_NUMBER_ILLEGAL|MOBILE_COUNT_OVER_LIMIT|TEMPLATE|SMS_|INVALID_|ACCOUNT_|PARAM_|BLACK_KEY|DOMESTIC_NUMBER|PRODUCT_UN|OUT_OF_SERVICE)|isp\.RAM_|InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|Forbidden|NoPermission)/

/** Alibaba Cloud's SMS (`SendSms`, 2017-05-25). The words are the vendor's template; we send the code that goes into it. */
export function alibabaSms(settings: SmsSettings, now: () => Date = () => new Date(), timeoutMs = waitMs): Deliver {
  const { endpoint, signName, codeTemplate, noticeTemplate } = settings
  return async ({ id, to, code, text, maybeSent }) => {
    const template = code === null ? noticeTemplate : codeTemplate
    if (!template) throw new DeliveryError('refused', 'no template for notices')
    const { queryText, headers } = signed(
      {
        host: new URL(endpoint).host,
        action: 'SendSms',
        version: '2017-05-25',
        query: {
          PhoneNumbers: to,
          SignName: signName,
          TemplateCode: template,
          TemplateParam: JSON.stringify(code === null ? { what: text } : { code }),
          OutId: id,
        },
        date: now()
          .toISOString()
          .replace(/\.\d+Z$/, 'Z'),
        nonce: randomUUID(),
      },
      settings,
    )
    const answer = await ask(`${endpoint}/?${queryText}`, headers, timeoutMs)
    if (answer === 'OK') return
    // The vendor allows one message a minute to a number: this refusal says that the unanswered attempt has arrived.
    if (maybeSent && answer === 'isv.BUSINESS_LIMIT_CONTROL') return
    throw new DeliveryError(final.test(answer) ? 'refused' : 'later', answer)
  }
}

/** The vendor's `Code`. */
async function ask(url: string, headers: Record<string, string>, timeoutMs: number): Promise<string> {
  let text: string
  let status: number
  try {
    const response = await fetch(url, { method: 'POST', headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    status = response.status
    text = (await response.text()).slice(0, 10_000)
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    // Nothing was heard there yet, or nobody knows.
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') throw new DeliveryError('later', code)
    throw new DeliveryError('unclear', (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'connection lost')
  }
  const code = codeOf(text)
  if (code) return code
  throw new DeliveryError(status < 500 ? 'later' : 'unclear', `HTTP ${status} without a code`)
}

function codeOf(text: string): string | null {
  try {
    const { Code } = JSON.parse(text) as { Code?: unknown }
    return typeof Code === 'string' && /^[A-Za-z0-9_.]{1,80}$/.test(Code) ? Code : null
  } catch {
    return null
  }
}
