import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { type TaskView, useChecklist, viewOf } from './checklist.ts'
import styles from './checklist-card.module.css'

/** 新手任务 with its bar; it goes once all is done or it is put away. `known`: what the server knows to be done. */
export function ChecklistCard({ known, lead = false }: { known: ReturnType<typeof viewOf>[number]['key'][]; lead?: boolean }) {
  const { done, hidden, hide } = useChecklist()
  const view = viewOf([...new Set([...done, ...known])])
  const finished = view.filter(({ state }) => state === 'done').length
  if ((hidden && !lead) || finished === view.length) return null
  return (
    <Card
      title={lead ? '从这里开始' : '新手任务'}
      note={
        <Row as="span" inline gap={8}>
          {finished} / {view.length}
          <Row as="span" inline gap={2} align="stretch" className={styles.checklistBar} aria-hidden="true">
            {view.map(({ key }, i) => (
              <i key={key} className={i < finished ? 'on' : undefined} />
            ))}
          </Row>
        </Row>
      }
      tools={
        !lead && (
          <Button look={['ghost', 'small']} onClick={() => hide(true)}>
            收起
          </Button>
        )
      }
      bare
    >
      {lead && (
        <p className={styles.checklistLead}>大约 90 秒：选一个模板，看名单，跑一次回测，看清最难熬的一段，再存成自己的。随时可以跳过。</p>
      )}
      <ol className={styles.checklistTasks}>
        {view.map((task, i) => (
          <Task key={task.key} task={task} number={i + 1} />
        ))}
      </ol>
    </Card>
  )
}

const words = { done: '已完成', next: '下一步', later: '未完成' } as const
const looks = { done: styles.done, next: styles.next, later: '' } as const

const Task = ({ task: { title, to, state }, number }: { task: TaskView; number: number }) => (
  <li className={looks[state]}>
    {state === 'done' ? <Icon name="check" /> : <i aria-hidden="true">{number}</i>}
    <span>
      {title}
      <span className="hidden-text">（{words[state]}）</span>
    </span>
    {state === 'next' && (
      <PageLink className="button small" to={to}>
        去做
      </PageLink>
    )}
  </li>
)
