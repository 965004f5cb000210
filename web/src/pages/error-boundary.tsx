import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ChunkLoadError } from './chunk.ts'

/** Error boundary of a page: a page that broke, or whose code did not load, leaves what is around it alone. Another address is another try. */
export class ErrorBoundary extends Component<{ at: string; children: ReactNode }, { error: unknown }> {
  override state = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override componentDidUpdate({ at }: { at: string }) {
    if (at !== this.props.at && this.state.error !== null) this.setState({ error: null })
  }
  override render() {
    return this.state.error === null ? this.props.children : <CrashPage error={this.state.error} />
  }
}

/** Whatever is stored here that breaks the page is out of its way afterwards; the login stays. */
const clear = () =>
  import('../state/clear-stored.ts').then(
    ({ clearStored }) => clearStored(),
    () => {},
  )

function CrashPage({ error }: { error: unknown }) {
  const reload = () => window.location.reload()
  return (
    <main className="empty" id="main" role="alert" style={{ minHeight: '70vh' }}>
      <Icon name="warn" />
      <b>{error instanceof ChunkLoadError ? '页面资源加载失败（可能刚刚发布了新版本）' : '页面出错了'}</b>
      <p>你的策略草稿保留在本机，刷新后可以继续。</p>
      <Button look={['primary']} onClick={reload}>
        刷新重试
      </Button>
      <Button onClick={() => void clear().then(reload)}>清除本机草稿后重开</Button>
      <p className="note">刷新后仍然出错时再清除：登录和显示设置不变，草稿会在本机另存一份。</p>
    </main>
  )
}
