import { create } from 'zustand'
import { listOf, text } from '../../../state/shapes.ts'
import { onOwnChange, userStorage } from '../../../state/user-storage.ts'

// 检查终端: what is assumed of a terminal and was not tried on a real one. The same lines stand in the client's 使用说明.txt.

export interface TerminalCheck {
  /** Of the tick that is kept: never changed. */
  readonly key: string
  readonly text: string
}

export const terminalChecks: readonly TerminalCheck[] = [
  { key: 'remark', text: '委托列表里的备注（投资备注）是客户端给的编号，没有被清空或截断到 10 个字符以下' },
  { key: 'refusal', text: '拒单（资金不足、数量不合规）在委托列表里有一行“废单”；只有弹窗没有废单时，客户端会停止并问你' },
  { key: 'run-mode', text: '大 QMT“模型交易”的运行模式是“实盘”' },
  { key: 'cost', text: '持仓列表有成本价；次日 09:31 以后持仓已是当日的数量' },
  { key: 'value', text: '资金里有证券总市值，与持仓数量乘以现价之和相差不超过 2% 或 1,000 元' },
  { key: 'session', text: '重启 miniQMT 后客户端一分钟内写出“终端已恢复应答”，此后能看到重启前的委托' },
  { key: 'cancel', text: '撤单后委托列表里的状态变为“已撤”或“部撤”，部分成交的数量还在' },
  { key: 'index', text: '上证指数（000001.SH）的行情时间与实际相差不超过 30 秒' },
  { key: 'beijing', text: '使用行情桥时，它报告的证券里有北交所的代码（.BJ）' },
]

const key = 'qmtTerminalChecks'
const shape = listOf(text)

const stored = (): readonly string[] => userStorage.read(key, shape) ?? []

/** What its user has seen at the terminal; kept in this browser. */
export const useTerminalChecks = create<{ ticked: readonly string[]; tick(check: string, seen: boolean): void }>((set, get) => ({
  ticked: stored(),
  tick(check, seen) {
    const ticked = [...get().ticked.filter((one) => one !== check), ...(seen ? [check] : [])]
    userStorage.write(key, ticked)
    set({ ticked })
  },
}))

onOwnChange(key, () => useTerminalChecks.setState({ ticked: stored() }))
