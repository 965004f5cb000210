import type { JsapiParameters } from '@convexa/contract/payment'

/** What WeChat puts into the pages that it shows; `done` hears `get_brand_wcpay_request:ok`, `…:cancel` or `…:fail…`. */
interface WechatBridge {
  invoke(name: 'getBrandWCPayRequest', parameters: JsapiParameters, done: (answer: { err_msg?: string }) => void): void
}
declare global {
  interface Window {
    WeixinJSBridge?: WechatBridge
  }
}

/** How WeChat's sheet was left. `ok` says no more than that: whether it was paid is asked of the server. `missing`: there was no sheet. */
export type SheetEnd = 'ok' | 'cancel' | 'fail' | 'missing'

/** WeChat puts it there a moment after the page, and says so; whoever calls themselves WeChat and are not never do. */
const waitMs = 5_000

/** Opens WeChat's sheet and tells how it was left. Never throws. */
export async function openSheet(parameters: JsapiParameters): Promise<SheetEnd> {
  const bridge = window.WeixinJSBridge ?? (await bridgeComes())
  if (!bridge) return 'missing'
  return new Promise((resolve) => bridge.invoke('getBrandWCPayRequest', parameters, ({ err_msg }) => resolve(endOf(err_msg))))
}

export function endOf(message: string | undefined): SheetEnd {
  const word = message?.split(':')[1]
  return word === 'ok' || word === 'cancel' ? word : 'fail'
}

const bridgeComes = (): Promise<WechatBridge | undefined> =>
  new Promise((resolve) => {
    const end = () => {
      document.removeEventListener('WeixinJSBridgeReady', end)
      clearTimeout(timer)
      resolve(window.WeixinJSBridge)
    }
    const timer = setTimeout(end, waitMs)
    document.addEventListener('WeixinJSBridgeReady', end)
  })
