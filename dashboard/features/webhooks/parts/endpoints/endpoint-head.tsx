// Which endpoint this is, how it does, and what can be done with it.

import { CopyButton } from '../../../../ui/copy-button.tsx'
import type { Endpoint } from '../../api/webhooks.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import classes from './endpoints.module.css'
import { StateChip } from './state-chip.tsx'

export function EndpointHead({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div className={classes.head}>
      <div className={classes.who}>
        <div className={classes.url}>
          <p className={classes.urlText} title={endpoint.url}>
            {endpoint.url}
          </p>
          <CopyButton value={endpoint.url} label="Copy URL" />
        </div>
        <div className={classes.line}>
          <StateChip endpoint={endpoint} />
          {endpoint.description && <span className="shrink muted">{endpoint.description}</span>}
        </div>
      </div>
      <EndpointActions endpoint={endpoint} />
    </div>
  )
}
