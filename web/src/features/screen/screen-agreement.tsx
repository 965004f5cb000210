import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from './screen-agreement.module.css'
import type { ScreenRun } from './screen-run.ts'

/** Whether the list that the browser made while one typed is the server's: they are made by the same rules on values of the same day. */
export function AgreementChip({ screen }: { screen: ScreenRun }) {
  const { agreement, preview, running, result } = screen
  if (!preview || !result) return null
  if (!agreement)
    return (
      <span className="chip agreement" role="status">
        {running ? '核对中…' : '预览，未核对'}
      </span>
    )
  const { missing, extra } = agreement
  const different = Math.max(missing.length, extra.length)
  if (different === 0)
    return (
      <span className="chip agreement ok" title={`浏览器预览与服务器名单逐只相同；预览用时 ${preview.milliseconds.toFixed(1)} 毫秒`}>
        <Icon name="check" size="small" />
        <span className="agreement-whole">预览与服务器</span>一致
      </span>
    )
  const names = new Map(result.list_items.map(({ code, name }) => [code, name]))
  const line = (codes: readonly string[]) =>
    codes
      .slice(0, 10)
      .map((code) => names.get(code) ?? code)
      .join('、')
  return (
    <span className="chip agreement warn">
      <span className="agreement-whole">与服务器结果</span>相差 {different} 只
      <Popover className="link size-12" button="查看" align="right">
        {() => (
          <div className={styles.note}>
            {missing.length > 0 && <p>仅在服务器名单：{line(missing)}</p>}
            {extra.length > 0 && <p>仅在浏览器预览：{line(extra)}</p>}
            <p className="text-3">两边取数时间可能不同，以服务器结果为准；再运行一次会重新取数。</p>
          </div>
        )}
      </Popover>
    </span>
  )
}
