import { Card } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { checklistOf, type Prepared } from './checklist.ts'
import styles from './run-config.module.css'

/** 准备清单: what is there, and what comes next. */
export function ChecklistCard({ prepared }: { prepared: Prepared }) {
  const tasks = checklistOf(prepared)
  const next = tasks.find(({ done }) => !done)
  return (
    <Card title="准备清单" note={`${tasks.filter(({ done }) => done).length}/${tasks.length}`} bare fold="qmt-checklist">
      <ol className={styles.qmtChecklist}>
        {tasks.map(({ key, title, done, to }, i) => (
          <li
            key={key}
            className={done ? 'done' : key === next?.key ? 'next' : undefined}
            aria-current={key === next?.key ? 'step' : undefined}
          >
            <PageLink to={to}>
              <span className="node">{done ? <Icon name="check" size="middle" /> : i + 1}</span>
              {title}
              {done && <span className="hidden-text">（已完成）</span>}
            </PageLink>
          </li>
        ))}
      </ol>
    </Card>
  )
}
