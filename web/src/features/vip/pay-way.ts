import { deviceOf } from '../../state/device.ts'

/** How a browser can pay (product.md 2.24). */
export type PayWay =
  /** On a phone inside WeChat: WeChat's own sheet. */
  | 'jsapi'
  /** At a desk: a code that the phone scans. */
  | 'native'
  /** Anywhere else: it says where one can. */
  | 'elsewhere'
  /** An iPhone inside WeChat where the operator does not sell to iPhones: no price is shown. */
  | 'ios'

/** By what the browser says of itself: a hint for the screen, the server decides on its own. `touch`: the screen can be touched. */
export function payWayOf(agent: string, touch: boolean, { iosVirtualPay }: { iosVirtualPay: boolean }): PayWay {
  const { type, browser, system } = deviceOf(agent, touch)
  if (browser !== 'wechat') return type === 'desktop' ? 'native' : 'elsewhere'
  if (type !== 'mobile') return 'elsewhere'
  return system === 'ios' && !iosVirtualPay ? 'ios' : 'jsapi'
}

/** The way of this browser. */
export const ownPayWay = (iosVirtualPay: boolean): PayWay => payWayOf(navigator.userAgent, navigator.maxTouchPoints > 1, { iosVirtualPay })

export const iosWords = '由于相关规范，iOS 功能暂不可用'
/** The operator has no way to learn who pays inside WeChat. */
export const noSheetWords = '本站未开通微信内支付，请在电脑上打开本页面扫码支付'

/** Registered at WeChat as the directory of payments: it never changes. */
const sheetPath = '/pay/wechat'
/** Where an order is paid inside WeChat. */
export const sheetAddress = (orderId: string): string => `${sheetPath}?order=${orderId}`
/** Where it is paid by a code, and where it says so elsewhere. */
export const codeAddress = (orderId: string): string => `/personal/subscription?order=${orderId}`
