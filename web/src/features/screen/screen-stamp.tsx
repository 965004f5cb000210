import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ScreenResult } from '@convexa/contract/screen'
import { DataStamp } from '../../ui/data-stamp.tsx'

/** Where a screen's numbers come from and of when they are. */
export const ScreenStamp = ({ result }: { result: ScreenResult }) => (
  <DataStamp
    source={isSynthetic(result.data_mode) ? 'demo' : result.realtime ? 'live' : 'close'}
    time={result.data_time}
    date={result.trade_date}
    realtime={result.realtime}
    title={`数据版本 ${result.data_version}`}
  />
)
