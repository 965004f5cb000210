/**
 * What Tushare means when it says no (providers.md 10.4). Its numbers are not documented: the meaning is in the words. The operator reads
 * them as they came, without the token.
 */
import { FeedError } from '../feed.ts'

/** How a refusal is waited for. */
interface Refusal {
  readonly fault: FeedError
  /** Calls a minute that it names. */
  readonly perMinute: number | null
}

const label = 'Tushare'
const mostWords = 200

type Make = (api: string, said: string) => FeedError

/** A rate limit differs from a missing permission by the count in its text, so limits come first. */
const limits: readonly (readonly [RegExp, Make])[] = [
  [
    /每分钟.*?(?<n>\d+)\s*次|频率超限[^次]*?(?<m>\d+)\s*次\s*\/\s*分钟/,
    (api, said) => wait(`${label} 的 ${api} 本分钟的次数已用完`, said, 61_000),
  ],
  [/每小时.*?\d+\s*次|\d+\s*次\s*\/\s*小时/, (api, said) => wait(`${label} 的 ${api} 本小时的次数已用完`, said, 3_600_000)],
  [/每天.*?\d+\s*次|\d+\s*次\s*\/\s*[天日]/, (api, said) => new FeedError('tomorrow', `${label} 的 ${api} 今天的次数已用完${said}`)],
  [/频率超限|访问频[率次]/, (api, said) => wait(`${label} 的 ${api} 访问过于频繁`, said, 61_000)],
]
const others: readonly (readonly [RegExp, Make])[] = [
  [/IP数量超限|黑名单/i, (_, said) => new FeedError('blocked', `${label} 拒绝本机的地址${said}`)],
  [/恶意|禁用|封禁/, (_, said) => new FeedError('banned', `${label} 账号已被禁用，请与其联系${said}`)],
  [/权限|积分/, (api, said) => new FeedError('permission', `所用的 ${label} 账号没有 ${api} 的权限（积分不足或需单独开通）${said}`)],
  [/token/i, (_, said) => new FeedError('credentials', `${label} 不接受所设置的 token，请检查 TUSHARE_TOKEN${said}`)],
]

const wait = (message: string, said: string, waitMs: number) => new FeedError('wait', `${message}${said}`, { waitMs })

/** @param words as they came */
export function refusalOf(api: string, words: string, token: string): Refusal {
  const shown = (token === '' ? words : words.replaceAll(token, '…'))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, mostWords)
  const said = shown === '' ? '' : `：“${shown}”`
  for (const [pattern, make] of [...limits, ...others]) {
    const found = pattern.exec(words)
    if (!found) continue
    const count = Number(found.groups?.['n'] ?? found.groups?.['m'] ?? Number.NaN)
    return { fault: make(api, said), perMinute: count > 0 ? count : null }
  }
  return { fault: new FeedError('refused', `${label} 的 ${api} 拒绝了请求${said}`), perMinute: null }
}
