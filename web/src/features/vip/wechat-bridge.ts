import type { JsapiParameters } from '@convexa/contract/payment'

/** Bridge that WeChat injects into the pages it shows; `done` gets `get_brand_wcpay_request:ok`, `…:cancel` or `…:fail…`. */
interface WechatBridge {
  invoke(name: 'getBrandWCPayRequest', parameters: JsapiParameters, done: (answer: { err_msg?: string }) => void): void
}
declare global {
  interface Window {
    WeixinJSBridge?: WechatBridge
  }
}

/** How WeChat's sheet was closed. `ok` is no proof of payment: the server knows. `missing`: there was no sheet. */
export type SheetEnd = 'ok' | 'cancel' | 'fail' | 'missing'

/** WeChat injects the bridge shortly after page load and fires an event; a browser that only claims to be WeChat never does. */
const waitMs = 5_000

/** Opens WeChat's sheet and returns how it was closed. Never throws. */
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
