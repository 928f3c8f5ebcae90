// The name of the command line in messages. It differs between a checkout, and the image and systemd.

/**
 * The words that begin a command where this process was started: `npx rapport` if npm or npx started it, as in a checkout,
 * else `rapport`, which the image and the set-up for systemd install.
 */
export const rapportCommand = (
  { npm_lifecycle_event: script }: { npm_lifecycle_event?: string | undefined } = process.env,
): string => (script === undefined ? 'rapport' : 'npx rapport')
