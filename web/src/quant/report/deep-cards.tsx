// The cards below the first half of a report: one chunk, fetched while the first half is read.
export { DistributionCard } from './risk/distribution-card.tsx'
export { EventsCard } from './risk/events-card.tsx'
export { RollingCard } from './risk/rolling-card.tsx'
export { RobustnessCard } from './robustness/robustness-card.tsx'
export { CapacityCard } from './sensitivity/capacity-card.tsx'
export { CostCard, CostSweepCard } from './sensitivity/cost-card.tsx'
export { TornadoCard } from './sensitivity/tornado-card.tsx'
