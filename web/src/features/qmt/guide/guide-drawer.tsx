import { Checkbox } from '../../../ui/controls.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import styles from './guide.module.css'
import { terminalChecks, useTerminalChecks } from './terminal-checks.ts'
import { UnsurePicture } from './unsure-picture.tsx'

/** Where it is opened. */
export type GuidePart = 'unsure' | 'terminal'

// A callback: what the drawer holds is mounted after the effects of its caller.
const showAtOnce = (element: HTMLElement | null) => element?.scrollIntoView()

/** 客户端使用说明: what it does when it does not know, and what to look at on one's own terminal before it trades for real. */
export function GuideDrawer({ part, onClose }: { part: GuidePart; onClose: () => void }) {
  const { ticked, tick } = useTerminalChecks()
  const seen = terminalChecks.filter(({ key }) => ticked.includes(key)).length
  return (
    <Drawer title="客户端使用说明" note="完整的说明是导出文件里的“使用说明.txt”" width={560} onClose={onClose}>
      <section aria-labelledby="guide-unsure">
        <h3 id="guide-unsure">客户端不确定的时候</h3>
        <p className={styles.guideLead}>断电、睡眠、终端重启或委托列表延迟时，客户端不知道一笔委托成交了没有。</p>
        <UnsurePicture />
        <h4>账本与账户不同时</h4>
        <p className={styles.guideLead}>账本是本配置自己持有的数量。</p>
        <dl className={styles.guideBook}>
          <dt>网站知道的送转、到期、强赎、代码变更</dt>
          <dd>账本跟着变。</dd>
          <dt>终端前收盘显示除权，网站还不知道</dt>
          <dd>暂停买卖，通常次日自动恢复。</dd>
          <dt>账户比账本少（例如你手工卖出）</dt>
          <dd>账本减到账户的数量，下一交易日的计划再买回。</dd>
          <dt>账户比账本少，而终端没有给出市值或与持仓对不上</dt>
          <dd>先不买卖；三个交易日都如此，在“待核对的委托”里问你。</dd>
          <dt>账户比账本多</dt>
          <dd>多出的是你自己的，客户端不卖。</dd>
          <dt>同一账户的其他配置也持有它，分不清是谁的</dt>
          <dd>在“待核对的委托”里问你。</dd>
        </dl>
      </section>
      <section aria-labelledby="guide-terminal" ref={part === 'terminal' ? showAtOnce : null} className={styles.guideChecks}>
        <h3 id="guide-terminal">
          检查终端
          <span className="text-3">
            {seen}/{terminalChecks.length}
          </span>
        </h3>
        <p className={styles.guideLead}>以下各项没有在真实终端上验证过。第一次真实委托前，请用最小数量逐项核对；勾选只记在这台浏览器里。</p>
        <ul>
          {terminalChecks.map(({ key, text }) => (
            <li key={key}>
              <Checkbox checked={ticked.includes(key)} onChange={(on) => tick(key, on)}>
                <span>{text}</span>
              </Checkbox>
            </li>
          ))}
        </ul>
      </section>
    </Drawer>
  )
}
