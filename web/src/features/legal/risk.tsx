import { LegalPage } from './legal-page.tsx'
import { riskText } from './risk-text.ts'

export const RiskPage = () => <LegalPage path="/legal/risk" text={riskText} />
