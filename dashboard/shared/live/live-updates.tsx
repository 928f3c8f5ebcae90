// What others change is seen on every page without a reload.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOrg } from '../use-organization.ts'
import { followChanges } from './live-sharing.ts'
import { Refresh } from './refresh.ts'

export function LiveUpdates() {
  const org = useOrg()
  const client = useQueryClient()
  useEffect(() => {
    const refresh = new Refresh(client, org)
    const stop = followChanges(org, (news) => refresh.add(news))
    return () => {
      stop()
      refresh.close()
    }
  }, [client, org])
  return null
}
