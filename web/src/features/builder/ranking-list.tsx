import { missingValues } from '@convexa/contract/enums/missing-value'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { RankFactor } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { fixed, percent } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, type Choice, NumberField, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover, PopoverChoices } from '../../ui/popover.tsx'
import { Section } from '../../ui/section.tsx'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { newRank, unfilled } from '../rule/draft.ts'
import type { Factors } from '../rule/factors.ts'
import styles from './builder.module.css'
import { type BuilderPart, mistakeAt } from './builder-part.ts'
import { type Likeness, likenessesOf, useFactorColumns } from './cross-section.ts'
import { FactorPicker } from './factor-picker.tsx'
import { moved, RowHandle, useRowOrder } from './row-order.tsx'

const directions: readonly Choice<RankFactor['prefer']>[] = [
  { value: 'small', label: '越小越好' },
  { value: 'large', label: '越大越好' },
]
const methods = choicesOf(rankMethods)
/** The contract takes this many. */
const mostRows = 20
const missings = choicesOf(missingValues)

/** 4 打分因子: direction, weight with its share, what becomes of missing values. */
export function RankingList({ parameters, edit, factors, mistakes }: BuilderPart) {
  const [picking, setPicking] = useState<number | 'new' | null>(null)
  const rows = parameters.rank_factors
  const set = (next: RankFactor[]) => edit((before) => ({ ...before, rank_factors: next }))
  const change = (index: number, part: Partial<RankFactor>) => set(rows.map((row, i) => (i === index ? { ...row, ...part } : row)))
  const market = useMarket()
  const { data: options } = useQuery(strategyOptionsQuery)
  const neutrals = [
    { value: '', label: '无' },
    ...(options?.neutralizations ?? []).filter(({ kind }) => kind === market.id).map(({ value, label }) => ({ value, label })),
  ]
  const order = useRowOrder(rows.length, (from, to) => set(moved(rows, from, to)))
  const used = rows.filter(({ enable, weight }) => enable && weight > 0).map(({ factor_key }) => factor_key)
  const columns = useFactorColumns(market.id, used, used.length > 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the refs by what they say
  const alike = useMemo(() => likenessesOf(used, columns), [used.join('\n'), columns])
  const total = rows.reduce((sum, row) => sum + (row.enable && row.weight > 0 ? row.weight : 0), 0)
  const enabled = rows.filter((row) => row.enable).length
  useFocusKept(rows.length, '[data-adds="ranks"] button')
  const pick = (ref: string) => {
    const prefer = factors.of(ref)?.prefer_default ?? 'small'
    if (picking === 'new') set([...rows, newRank(ref, prefer)])
    else if (picking !== null) change(picking, { factor_key: ref, prefer })
    setPicking(null)
  }
  return (
    <Section
      name="builder.ranking"
      number={4}
      title={ruleLabels.rank_factors}
      result={`${enabled} 个`}
      wrong={mistakes.some(({ place }) => place.startsWith('ranks'))}
    >
      {rows.map((row, index) => {
        const mistake = mistakeAt(mistakes, `ranks.${index}`)
        const name = factors.nameOf(row.factor_key)
        const share = row.enable && total > 0 && row.weight > 0 ? row.weight / total : 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and hold no state of their own
          <div key={index} {...order.rowProps(index)}>
            <div className={row.enable ? styles.line : `${styles.line} ${styles.disabled}`}>
              <RowHandle {...order.handleProps(index, name)} />
              <Checkbox checked={row.enable} label={`启用因子：${name}`} onChange={(enable) => change(index, { enable })} />
              <button type="button" className={styles.rankName} title={`${name}（点击更换）`} onClick={() => setPicking(index)}>
                {name}
              </button>
              <Select
                label={`${name}的方向`}
                width={80}
                value={row.prefer}
                choices={directions}
                onChange={(prefer) => change(index, { prefer })}
              />
              <NumberField
                label={`${name}的权重`}
                before="权重"
                width={62}
                value={row.weight}
                onChange={(value) => change(index, { weight: value ?? unfilled })}
                invalid={mistake !== undefined}
              />
              <span className={styles.share} aria-hidden="true">
                <i style={{ width: `${share * 100}%` }} />
              </span>
              <span className={styles.shareText}>{row.enable ? percent(share, share === 1 ? 0 : 1) : '停用'}</span>
              <Popover className={styles.rowMore} align="right" label={`${name}的更多设置`} button={<Icon name="more" />}>
                {(close) => (
                  <>
                    <div className="menu-label">
                      缺失值
                      <Select
                        label="缺失值"
                        width={104}
                        value={row.missing_process}
                        choices={missings}
                        onChange={(missing_process) => change(index, { missing_process })}
                      />
                    </div>
                    <div className="menu-label">
                      中性化
                      <Select
                        label="中性化"
                        width={104}
                        value={row.neutralization ?? ''}
                        choices={neutrals}
                        onChange={(value) => change(index, { neutralization: value || null })}
                      />
                    </div>
                    <hr />
                    <PopoverChoices
                      close={close}
                      choices={[
                        { label: '更换因子', run: () => setPicking(index) },
                        {
                          label: '复制一条',
                          // A twin that counts would be the same factor twice: it begins switched off.
                          run: () => set([...rows.slice(0, index + 1), { ...row, enable: false }, ...rows.slice(index + 1)]),
                          off: rows.length >= mostRows,
                        },
                        { label: '移除', run: () => set(rows.filter((_, i) => i !== index)) },
                      ]}
                    />
                  </>
                )}
              </Popover>
            </div>
            <FieldError>{mistake}</FieldError>
            <RowNotes row={row} like={alike.get(row.factor_key)} neutrals={neutrals} factors={factors} />
          </div>
        )
      })}
      <FieldError>{mistakeAt(mistakes, 'ranks')}</FieldError>
      <div className={styles.line} data-adds="ranks">
        <Button look={['ghost', 'plus', 'small']} icon="plus" disabled={rows.length >= mostRows} onClick={() => setPicking('new')}>
          添加因子
        </Button>
        <span className="grow" />
        <span className="text-2">合成</span>
        <Select
          label={ruleLabels.rank_method}
          width={96}
          value={parameters.rank_method}
          choices={methods}
          onChange={(rank_method) => edit((before) => ({ ...before, rank_method }))}
        />
      </div>
      {picking !== null && (
        <FactorPicker
          title="选择打分因子"
          factors={factors}
          taken={rows.map((row) => row.factor_key)}
          onPick={pick}
          onClose={() => setPicking(null)}
        />
      )}
    </Section>
  )
}

/** What a row does beyond its direction and weight, and that it says nearly the same as another. */
function RowNotes({
  row,
  like,
  neutrals,
  factors,
}: {
  row: RankFactor
  like: Likeness | undefined
  neutrals: readonly Choice<string>[]
  factors: Factors
}) {
  const notes = [
    ...(missingValues[row.missing_process].from === 'nothing' ? [] : [`缺失按${labelOf(missingValues, row.missing_process)}`]),
    ...(row.neutralization ? [`按${neutrals.find(({ value }) => value === row.neutralization)?.label ?? row.neutralization}中性化`] : []),
  ]
  if (notes.length === 0 && !(like && row.enable)) return null
  return (
    <p className={styles.rowNotes}>
      {notes.length > 0 && <span>{notes.join(' · ')}</span>}
      {like && row.enable && (
        <span className="warn" title="按当日全部证券的名次计算；两个因子说的几乎是同一件事，等于给它加了权重">
          <Icon name="warn" size="small" />
          与「{factors.nameOf(like.ref)}」高度{like.rho < 0 ? '负' : ''}相关 {fixed(like.rho, 2)}
        </span>
      )}
    </p>
  )
}
