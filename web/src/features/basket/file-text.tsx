import type { Basket } from '@convexa/contract/qmt-basket'
import { bytesOf } from './bytes.ts'
import { readFile } from './read-file.ts'

/** The bytes that are saved, as the terminal will read them. */
export function FileText({ basket, stale }: { basket: Basket; stale: boolean }) {
  const { lines, kind } = readFile(bytesOf(basket.content_base64))
  return (
    <section className={stale ? 'basket-file stale' : 'basket-file'} aria-label="文件内容">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <pre className="mono" tabIndex={0}>
        {lines.join('\n')}
      </pre>
      <p>{kind}。方向 0 为买入、1 为卖出；相对权重是占总资金的份额；指定价与量比留空。</p>
    </section>
  )
}
