import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { sentenceOf } from '../../api/messages.ts'
import { Button } from '../../ui/button.tsx'
import { rules } from '../../ui/form/rules.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { notifyRolledBack } from '../../ui/rollback-toast.ts'
import { strategyPath } from '../rule/addresses.ts'
import { InlineText } from '../rule/inline-text.tsx'
import styles from './strategies.module.css'
import { describeStrategy, renameStrategy } from './strategy-changes.ts'

export type Editing = { id: string; what: 'name' | 'remark' } | null

/** What is wrong with a strategy's name, in a sentence. */
export const nameMistake = (name: string): string | null => (name === '' ? '名称需为1至50个字符' : rules.strategyName()(name, null))
export const remarkMistake = (remark: string): string | null => rules.remark(remark, null)

/** Renames at once; a refusal takes the old name back and offers to try again. */
export function useRename(kind: MarketId, onEditing: (editing: Editing) => void) {
  return (strategy: StrategyListItem, name: string) =>
    refusalOf(renameStrategy(kind, strategy, name), '改名', () => onEditing({ id: strategy.id, what: 'name' }))
}

export function useRemark(kind: MarketId, onEditing: (editing: Editing) => void) {
  return (strategy: StrategyListItem, remark: string) =>
    refusalOf(describeStrategy(kind, strategy, { remark }), '备注', () => onEditing({ id: strategy.id, what: 'remark' }))
}

/** Reports a refused change and returns the sentence of its refusal; null on success. */
const refusalOf = (change: Promise<void>, what: '改名' | '备注', again: () => void): Promise<string | null> =>
  change.then(
    () => null,
    (error: unknown) => {
      notifyRolledBack(what, error, again)
      return sentenceOf(error)
    },
  )

/** Name over remark, both changed where they stand: F2 or the pencil for the name, a press on the remark for it. */
export function StrategyName({
  kind,
  strategy,
  editing,
  onEditing,
}: {
  kind: MarketId
  strategy: StrategyListItem
  editing: Editing
  onEditing: (editing: Editing) => void
}) {
  const { id, strategy_name: name, remark } = strategy
  const rename = useRename(kind, onEditing)
  const setRemark = useRemark(kind, onEditing)
  const what = editing?.id === id ? editing.what : null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 is heard for the link and buttons inside
    <div className="strategy-name" onKeyDown={(event) => event.key === 'F2' && onEditing({ id, what: 'name' })}>
      <InlineText
        text={name}
        label="名称"
        check={nameMistake}
        save={(next) => rename(strategy, next)}
        editing={what === 'name'}
        onEditing={(on) => onEditing(on ? { id, what: 'name' } : null)}
      >
        <span className="line">
          <PageLink className={`${styles.strategyLink} given-name`} to={strategyPath(kind, id)}>
            {name}
          </PageLink>
          <span className="inline-pencil">
            <Button
              look={['ghost', 'square', 'plus']}
              icon="pencil"
              aria-label={`修改名称 ${name}`}
              onClick={() => onEditing({ id, what: 'name' })}
            />
          </span>
        </span>
      </InlineText>
      <InlineText
        text={remark}
        label="备注"
        check={remarkMistake}
        save={(next) => setRemark(strategy, next)}
        editing={what === 'remark'}
        onEditing={(on) => onEditing(on ? { id, what: 'remark' } : null)}
      >
        <button
          type="button"
          className={`ellipsis ${styles.strategyRemark}`}
          title={remark || undefined}
          aria-label={remark ? `修改备注：${remark}` : `给 ${name} 添加备注`}
          onClick={() => onEditing({ id, what: 'remark' })}
        >
          {remark || '添加备注'}
        </button>
      </InlineText>
    </div>
  )
}
