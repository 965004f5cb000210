import { type CallStatus, callStatuses } from '@convexa/contract/enums/call-status'
import { type Rating, ratings } from '@convexa/contract/enums/rating'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { ruleLabels } from '@convexa/contract/rule-labels'
import { count } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Checkbox, NumberField, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { unfilled } from '../rule/draft.ts'
import { AttributeLine } from './attribute-line.tsx'
import styles from './builder.module.css'
import { type BuilderPart, mistakeAt } from './builder-part.ts'

const statuses = valuesOf(callStatuses).filter((status): status is Exclude<CallStatus, 'none'> => status !== 'none')
const ratingChoices = [
  { value: '', label: '评级不限' },
  ...valuesOf(ratings)
    .slice(1)
    .filter((rating: Rating) => ratings[rating].offered)
    .map((rating) => ({ value: rating as string, label: `低于 ${labelOf(ratings, rating)}` })),
]

/** 2 风险剔除: before any condition of one's own. */
export function RiskForm({ parameters, edit, mistakes, counts }: BuilderPart) {
  const market = useMarket()
  const { exclude } = parameters
  const change = (part: Partial<typeof exclude>) => edit((before) => ({ ...before, exclude: { ...before.exclude, ...part } }))
  const mistake = mistakeAt(mistakes, 'exclude.list_days')
  const callMistake = mistakeAt(mistakes, 'exclude.call_remain_days')
  const removed = counts && counts.all - counts.afterRisk
  const chosen = exclude.call_status ?? []
  const left = statuses.filter((status) => !chosen.includes(status))
  return (
    <Section
      name="builder.risk"
      number={2}
      title={ruleLabels.exclude}
      result={removed === null ? null : count(-removed)}
      wrong={mistake !== undefined || callMistake !== undefined}
    >
      {market.redeemed && (
        <div className={`${styles.line} wrap`}>
          {chosen.map((status) => (
            <span className="tag" key={status}>
              {labelOf(callStatuses, status)}
              <button
                type="button"
                aria-label={`不剔除${labelOf(callStatuses, status)}`}
                onClick={() => change({ call_status: chosen.filter((one) => one !== status) })}
              >
                <Icon name="cross" size="small" />
              </button>
            </span>
          ))}
          {left.length > 0 && (
            <Menu
              className="button ghost small square"
              label="添加强赎状态"
              button={<Icon name="plus" size="middle" />}
              choices={left.map((status) => ({
                label: labelOf(callStatuses, status),
                run: () => change({ call_status: [...chosen, status] }),
              }))}
            />
          )}
          {chosen.length === 0 && <span className="text-3 size-12">不按强赎状态剔除</span>}
        </div>
      )}
      <div className={styles.line}>
        <Checkbox checked={exclude.st} onChange={(st) => change({ st })}>
          {market.redeemed ? '剔除 ST 正股' : '剔除 ST'}
        </Checkbox>
        <Checkbox checked={exclude.suspended} onChange={(suspended) => change({ suspended })}>
          停牌
        </Checkbox>
        <span className="grow" />
        <span className="text-2">上市</span>
        <NumberField
          label="剔除上市天数以内"
          width={40}
          value={exclude.list_days}
          onChange={(value) => change({ list_days: value ?? unfilled })}
          invalid={mistake !== undefined}
        />
        <span className="text-2">天以内</span>
      </div>
      {market.redeemed && (
        <div className={styles.line}>
          <Checkbox
            checked={exclude.call_remain_days !== undefined && exclude.call_remain_days !== null}
            onChange={(on) => change({ call_remain_days: on ? 5 : null })}
          >
            距强赎触发不足
          </Checkbox>
          <NumberField
            label={ruleLabels.call_remain_days}
            width={40}
            value={exclude.call_remain_days ?? null}
            onChange={(value) => change({ call_remain_days: value ?? unfilled })}
            invalid={callMistake !== undefined}
            placeholder="—"
          />
          <span className="text-2">天</span>
          <span className="grow" />
          <Select
            label={ruleLabels.ratings_below}
            width={96}
            value={exclude.ratings_below ?? ''}
            choices={ratingChoices}
            onChange={(value) => change({ ratings_below: value || null })}
          />
        </div>
      )}
      <FieldError>{mistakeAt(mistakes, 'exclude.list_days', 'exclude.call_remain_days')}</FieldError>
      <AttributeLine kind={market.id} exclude={exclude} onChange={change} />
    </Section>
  )
}
