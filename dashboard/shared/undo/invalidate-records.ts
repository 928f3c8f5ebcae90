import type { QueryClient } from '@tanstack/react-query'

/** After changes of records were undone: what pages show of records is read again. */
export function invalidateRecords(client: QueryClient, org: string): void {
  for (const kind of ['records', 'record-name', 'activities', 'history'])
    void client.invalidateQueries({ queryKey: [org, kind] })
}
