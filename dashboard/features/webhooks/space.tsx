// The React context of the space. The same pages manage webhooks in the dashboard and in the portal.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { requiredContext } from '../../ui/required-context.ts'
import type { Space } from './api/webhook-space.ts'
import { type Portal, portalQuery } from './api/webhooks.ts'

const [SpaceContext, useSpace] = requiredContext<Space>('WebhookSpace')

export { useSpace }

/** @param space must be the same object on every render */
export function WebhookSpace({ space, children }: { space: Space; children: ReactNode }) {
  return <SpaceContext value={space}>{children}</SpaceContext>
}

/** The organization, and the objects and attributes that filters can use. */
export const usePortal = (): Portal => useSuspenseQuery(portalQuery(useSpace())).data
