// The space of the pages below: the same pages manage webhooks in the dashboard and in the portal.
import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Space } from './api/webhook-space.ts'
import { type Portal, portalQuery } from './api/webhooks.ts'

const SpaceContext = createContext<Space | undefined>(undefined)

/** @param space the same one from one drawing to the next */
export function WebhookSpace({ space, children }: { space: Space; children: ReactNode }) {
  return <SpaceContext value={space}>{children}</SpaceContext>
}

export function useSpace(): Space {
  const space = useContext(SpaceContext)
  if (!space) throw new Error('Pages of webhooks need a WebhookSpace')
  return space
}

/** The organization, and what filters can name: its objects and their attributes. */
export const usePortal = (): Portal => useSuspenseQuery(portalQuery(useSpace())).data
