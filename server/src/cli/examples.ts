/** The files of `examples/` that a user may begin with. */
export const examples: readonly { readonly name: string; readonly file: string; readonly text: string }[] = [
  { name: 'cb', file: 'cb.csv', text: '可转债行情文件（CSV）：20 只、30 个交易日，虚构数据' },
  { name: 'mapping', file: 'mapping.json', text: '上面的文件的列对应关系，用于 ./convexa import cb --mapping' },
  { name: 'request-cb', file: 'request-cb.json', text: '可转债回测请求：双低轮动' },
  { name: 'request-stk', file: 'request-stk.json', text: '股票回测请求：小市值' },
  { name: 'request-group', file: 'request-group.json', text: '策略组回测请求：双低与低溢价各一半' },
  { name: 'double-low', file: 'strategies/double-low.json', text: '可转债策略：经典双低' },
  { name: 'low-premium', file: 'strategies/low-premium.json', text: '可转债策略：低溢价' },
  { name: 'small-cap', file: 'strategies/small-cap.json', text: '股票策略：小市值' },
]
