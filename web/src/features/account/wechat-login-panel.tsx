import type { Website } from '@convexa/contract/system'
import { useEffect, useState } from 'react'
import { deviceOf } from '../../state/device.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { useSecondsTo } from '../../ui/use-seconds-to.ts'
import styles from './wechat-login-panel.module.css'
import { beginScan, type Scan, scanAddress } from './wechat-scan.ts'

type WechatLoginPanelProps = {
  wechat: NonNullable<Website['wechat_web']>
  /** The page of this site that WeChat leads back to. */
  path: string
  keep: Omit<Scan, 'state'>
  /** Of the button inside WeChat. */
  action: string
  /** It is for an account that is logged in, not for a login. */
  binds?: boolean
}

/** Inside WeChat a code on one's own screen cannot be scanned: there a button leads the way. */
export function WechatLoginPanel(door: WechatLoginPanelProps) {
  const { browser, type } = deviceOf(navigator.userAgent, navigator.maxTouchPoints > 1)
  if (browser === 'wechat' && type === 'mobile') return <WechatButton {...door} />
  return <WechatCode {...door} onPhone={type === 'mobile'} />
}

function WechatButton({ wechat, path, keep, action }: WechatLoginPanelProps) {
  const go = () => location.assign(scanAddress(wechat, path, beginScan(keep), false))
  return (
    <Stack gap={12} align="center" className="wechat-door">
      <p>将使用当前微信登录，本站只取得你的昵称和头像。</p>
      <Button look={['primary', 'large', 'wide']} onClick={go}>
        {action}
      </Button>
    </Stack>
  )
}

const goodMs = 5 * 60_000
const patienceMs = 10_000

interface Shown {
  address: string
  until: number
}

/** WeChat's page with the code to scan, in a frame; for five minutes. */
function WechatCode({ wechat, path, keep, onPhone, binds = false }: WechatLoginPanelProps & { onPhone: boolean }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading')
  const left = useSecondsTo(shown?.until ?? null)
  const { redirect, remember } = keep
  const over = shown !== null && left === 0

  const show = () => {
    const state = beginScan({ redirect, remember })
    setState('loading')
    setShown({ address: scanAddress(wechat, path, state, true), until: Date.now() + goodMs })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the tab is opened; a new choice of the user begins a new scan
  useEffect(show, [redirect, remember])
  useEffect(() => {
    if (state !== 'loading' || !shown) return
    // A frame does not tell that its page failed: it tells that one came, or nothing.
    const timer = setTimeout(() => setState('failed'), navigator.onLine ? patienceMs : 0)
    return () => clearTimeout(timer)
  }, [state, shown])

  return (
    <Stack gap={12} align="center" className="wechat-door">
      <div className={styles.wechatCode} aria-busy={state === 'loading'}>
        {shown && state !== 'failed' && !over && (
          <iframe
            key={shown.address}
            title="微信登录二维码"
            src={shown.address}
            // Told so, the browser lets the frame lead the whole window on after the scan without a click in it.
            sandbox="allow-scripts allow-same-origin allow-forms allow-top-navigation"
            referrerPolicy="no-referrer"
            onLoad={() => setState('there')}
          />
        )}
        {state === 'loading' && <span className="skeleton" />}
        {(state === 'failed' || over) && (
          <Stack gap={12} align="center" className={styles.wechatOver} role="alert">
            <Icon name="warn" />
            {state === 'failed' ? '微信二维码加载失败' : '二维码已过期'}
            <Button look={['primary']} onClick={show}>
              {state === 'failed' ? '重试' : '刷新二维码'}
            </Button>
          </Stack>
        )}
      </div>
      <p>
        请使用微信「扫一扫」{binds ? '绑定' : '登录'}
        <small>二维码 5 分钟内有效{state === 'there' && !over && left <= 60 && `，还剩 ${left} 秒`}</small>
      </p>
      {onPhone && (
        <p className={styles.wechatHint}>手机无法扫描自己的屏幕：可以在微信里打开本页一键{binds ? '绑定' : '登录'}，或用另一台设备打开。</p>
      )}
      <Row wrap className={styles.wechatWays}>
        <Button look={['ghost', 'small']} icon="refresh" onClick={show}>
          刷新二维码
        </Button>
        <details>
          <summary>扫码遇到问题？</summary>
          <ul>
            <li>二维码没有显示：请检查网络后刷新，或关闭拦截第三方页面的插件。</li>
            <li>扫码后没有反应：请在手机上点“允许”，再等几秒。</li>
            {!binds && <li>仍然不行：可以用密码登录，登录后在个人资料里绑定微信。</li>}
          </ul>
        </details>
      </Row>
    </Stack>
  )
}
