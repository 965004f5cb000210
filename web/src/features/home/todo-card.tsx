import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { Todo } from './todos.ts'
import './todo-card.css'

/** 待办; `failed`: what it is made of could not be read. */
export const TodoCard = ({ todos, loading, failed }: { todos: readonly Todo[]; loading: boolean; failed: boolean }) => (
  <Card title="待办" note={loading ? undefined : `${todos.length} 项`} className="todo-card" bare>
    {todos.length === 0 && (
      <p className="todo-none">
        {loading ? (
          <span className="skeleton" style={{ width: 160 }} />
        ) : failed ? (
          '策略没有读到，待办可能不全。'
        ) : (
          '今天没有需要处理的事。'
        )}
      </p>
    )}
    <ul className="todos">
      {todos.map(({ key, look, title, text, action }) => (
        <li key={key} className={look}>
          <Icon name={look} />
          <div>
            <b>{title}</b>
            <span>{text}</span>
          </div>
          <PageLink className="button small" to={action.to} aria-label={`${action.label}：${title}`}>
            {action.label}
          </PageLink>
        </li>
      ))}
    </ul>
  </Card>
)
