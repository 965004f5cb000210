import { type TradingRules, usualRules } from './dated-rules.ts'

/** Stored with every report; raised when the same input gives another number. */
export const engineVersion = '0.5.0'

/** The version of what is computed under an operator's rules of trading: other rules than the usual ones give other numbers. */
export const versionUnder = ({ stLimitFrom }: TradingRules = usualRules): string =>
  stLimitFrom === usualRules.stLimitFrom ? engineVersion : `${engineVersion}+st.${stLimitFrom ?? 'off'}`
