import { useRouteError } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

const chunkFailed = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script|preload CSS|chunk load/i.test(`${error.name} ${error.message}`)

/** In the place of a page whose code did not come, or which broke. */
export function CrashPage() {
  const error = useRouteError()
  return (
    <main className="empty" style={{ minHeight: '70vh' }}>
      <Icon name="warn" />
      <b>{chunkFailed(error) ? '页面资源加载失败（可能刚刚发布了新版本）' : '页面出错了'}</b>
      <p>你的策略草稿保留在本机，刷新后可以继续。</p>
      <Button look={['primary']} onClick={() => window.location.reload()}>
        刷新重试
      </Button>
    </main>
  )
}
