import type { ReactNode } from 'react'
import { PartPending } from '../ui/page-pending.tsx'
import { ErrorState } from './state.tsx'

interface WaitingProps {
  query: { error: unknown; refetch(): Promise<unknown> }
  /** The placeholder while the data loads. */
  children?: ReactNode
}

/** Shown instead of the data of a query until it has some: that it loads, or why it failed. */
export const Waiting = ({ query: { error, refetch }, children = <PartPending /> }: WaitingProps) =>
  error ? <ErrorState error={error} onRetry={() => void refetch()} /> : children
