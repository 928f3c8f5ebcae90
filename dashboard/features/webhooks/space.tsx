// The React context of the space. The same pages manage webhooks in the dashboard and in the portal.
import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Space } from './api/webhook-space.ts'
import { type Portal, portalQuery } from './api/webhooks.ts'

const SpaceContext = createContext<Space | undefined>(undefined)

/** @param space must be the same object on every render */
export function WebhookSpace({ space, children }: { space: Space; children: ReactNode }) {
  return <SpaceContext value={space}>{children}</SpaceContext>
}

export function useSpace(): Space {
  const space = useContext(SpaceContext)
  if (!space) throw new Error('Pages of webhooks need a WebhookSpace')
  return space
}

/** The organization, and the objects and attributes that filters can use. */
export const usePortal = (): Portal => useSuspenseQuery(portalQuery(useSpace())).data
