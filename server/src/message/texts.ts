export type Channel = 'sms' | 'email'

/** What a verification code is for, as the sentence that carries it says. */
export const codePurposes = {
  register: '注册账号',
  reset_password: '重置密码',
  bind_wechat: '绑定微信',
  mobile_new: '绑定新手机号',
  mobile_old: '更换手机号（验证原手机号）',
  activate_email: '激活邮箱',
  re_auth: '身份验证',
} as const satisfies Record<string, string>
export type CodePurpose = keyof typeof codePurposes

/** Notices to the owner, to the old address too, so that a change by somebody else does not go unnoticed. */
const notices = {
  already_registered: '您已注册过账号，无需再次注册，直接登录即可；忘记密码时请在登录页选择“忘记密码”',
  not_registered: '有人用它找回密码，但它还没有注册账号；如果是您本人，请先注册',
  password_changed: '您的账号密码已修改，其他设备已退出登录',
  mobile_changed: '您的账号绑定的手机号已更换',
  email_changed: '您的账号绑定的邮箱已更换',
  wechat_bound: '您的账号已绑定微信登录',
  new_device: '您的账号在新设备上登录',
  deletion_asked: '您的账号将在 7 天后注销，在此之前登录并点击“撤销注销”可以保留',
} as const satisfies Record<string, string>
export type NoticePurpose = keyof typeof notices

/** News that nobody needs to guard against. `date`: a day in Chinese words. */
const news = {
  runs_kept_until: (date: string) =>
    `您的会员已到期，超出免费额度的完整回测结果将保留到 ${date}，之后仅保留参数与指标；需要长期保留的，请收藏或导出`,
} as const satisfies Record<string, (date: string) => string>
type NewsPurpose = keyof typeof news

export type Purpose = CodePurpose | NoticePurpose | NewsPurpose

export interface Words {
  readonly subject: string
  readonly text: string
}

/** What a message says of the installation that sends it. */
export interface Sender {
  readonly siteName: string
  readonly siteUrl: string | null
}

/** The words of a message; `seconds` is how long its code is good for. */
export function wordsOf(
  { siteName: site, siteUrl }: Sender,
  { purpose, code, seconds, date = '' }: { purpose: Purpose; code: string | null; seconds: number; date?: string | undefined },
): Words {
  if (isNews(purpose)) return { subject: `【${site}】会员提醒`, text: `【${site}】${news[purpose](date)}。` }
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (isNotice(purpose)) {
    const harmless = purpose === 'already_registered' || purpose === 'not_registered'
    const warning = harmless ? '如非本人操作，请忽略' : '如非本人操作，请立即修改密码'
    const anyway = code === null ? '' : `（验证码 ${code}，${minutes} 分钟内有效）`
    return { subject: `【${site}】账号提醒`, text: `【${site}】${notices[purpose]}${anyway}。${warning}。` }
  }
  // The page behind the link takes the code from it, and asks for a login first.
  const link = purpose === 'activate_email' && siteUrl ? `也可以打开链接完成激活：${siteUrl}/activate-email?code=${code} 。` : ''
  return {
    subject: `【${site}】${codePurposes[purpose]}验证码`,
    text: `【${site}】验证码 ${code}，用于${codePurposes[purpose]}，${minutes} 分钟内有效。${link}请勿告诉任何人；如非本人操作，请忽略。`,
  }
}

const isNews = (purpose: Purpose): purpose is NewsPurpose => purpose in news
const isNotice = (purpose: Purpose): purpose is NoticePurpose => purpose in notices
