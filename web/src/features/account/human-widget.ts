import 'altcha/external'
import 'altcha/altcha.css'
import 'altcha/i18n/zh-cn'
import type { HumanCheck } from '@convexa/contract/verification'
import Derive from 'altcha/workers/pbkdf2?worker'

// The library's widget without its bundled worker and styles, which our policy (worker-src, style-src 'self') would not let run.
// Loaded only when the server asks for the check.

const algorithm = 'PBKDF2/SHA-256'
const language = 'zh-cn'

$altcha.algorithms.set(algorithm, () => new Derive())
$altcha.i18n.set(language, {
  ...$altcha.i18n.get(language),
  label: '确认不是机器人',
  verifying: '正在确认，约需几秒…',
  verified: '已确认',
  error: '没有完成，请点此重试',
  expired: '已过期，请点此重试',
  waitAlert: '正在确认，请稍候',
})

/** The widget for one piece of work, which it begins by itself; its answer comes with the event `verified`. */
export function widgetFor(challenge: HumanCheck) {
  const widget = document.createElement('altcha-widget')
  widget.configuration = JSON.stringify({
    challenge,
    auto: 'onload',
    language,
    hideFooter: true,
    hideLogo: true,
    // It would watch pointer and scrolling for a service that we do not use.
    humanInteractionSignature: false,
  })
  return widget
}
