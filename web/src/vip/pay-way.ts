/** How the browser that asks can pay (product.md 2.24). */
export type PayWay =
  /** On a phone inside WeChat: WeChat's own sheet. */
  | 'jsapi'
  /** At a desk: a code that the phone scans. */
  | 'native'
  /** Anywhere else: it says where one can. */
  | 'elsewhere'
  /** An iPhone inside WeChat where the operator does not sell to iPhones: no price is shown. */
  | 'ios'

export interface Browser {
  userAgent: string
  /** `navigator.maxTouchPoints`: an iPad calls itself a Macintosh, but has fingers on it. */
  touchPoints: number
}

/** By what the browser says of itself: a hint for the screen, the server decides on its own. */
export function payWayOf({ userAgent, touchPoints }: Browser, { iosVirtualPay }: { iosVirtualPay: boolean }): PayWay {
  const wechat = /MicroMessenger/i.test(userAgent)
  const tablet = /iPad|Tablet|PlayBook/i.test(userAgent) || (/Android/i.test(userAgent) && !/Mobile/i.test(userAgent))
  const fingers = /Macintosh/.test(userAgent) && touchPoints > 1
  const phone = !tablet && !fingers && /iPhone|iPod|Android|HarmonyOS|Mobile/i.test(userAgent)
  if (phone && wechat) return /iPhone|iPod/i.test(userAgent) && !iosVirtualPay ? 'ios' : 'jsapi'
  return phone || tablet || fingers || wechat ? 'elsewhere' : 'native'
}

export const elsewhereWords = '请在手机微信中打开本页面完成支付'
/** Until WeChat's own sheet is opened from here (`/pay/wechat`). */
export const jsapiWords = '微信内支付暂未开放，请在电脑上打开本页面扫码支付'
export const iosWords = '由于相关规范，iOS 功能暂不可用'

/** The way of this browser. */
export const ownPayWay = (iosVirtualPay: boolean): PayWay =>
  payWayOf({ userAgent: navigator.userAgent, touchPoints: navigator.maxTouchPoints }, { iosVirtualPay })
