import type { MarketId } from '@convexa/contract/enums/market'
import { type FactorText, factorExamples } from '../../market/factor-examples.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import styles from './customized-factors.module.css'

/** Nothing is open: examples to clone, or a blank one. Whether there are saved ones is `known` only when the list came. */
export function NoFactor({ kind, known, onNew }: { kind: MarketId; known: boolean; onNew: (text?: FactorText) => void }) {
  const title = known ? '还没有自定义因子' : '已存的因子暂时读不到'
  return (
    <section className={styles.noFactor} aria-label={title}>
      <h2>{title}</h2>
      <p className="note">
        {known
          ? '用公式写自己的因子：检查、看每一步的值，再用于打分、剔除和分箱。可以复制一个示例改一改，也可以从空白开始。'
          : '它们没有丢失。可以先写新的，写下的内容保存在本机；也可以稍后重试。'}
      </p>
      <p>
        <Button look={['primary']} icon="plus" onClick={() => onNew()}>
          新建空白因子
        </Button>
      </p>
      <div className={styles.noFactorCards}>
        {factorExamples[kind].slice(0, 3).map((example) => (
          <Card plain key={example.name} as="article">
            <h2>{example.name}</h2>
            <p className="note">{example.description}</p>
            <pre>{example.formula}</pre>
            <Button look={['small']} aria-label={`复制示例${example.name}`} onClick={() => onNew(example)}>
              复制这个示例
            </Button>
          </Card>
        ))}
      </div>
    </section>
  )
}
