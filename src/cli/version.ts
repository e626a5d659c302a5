import manifest from '../../package.json' with { type: 'json' }

/** The version of this build, as `--version` and the ledger name it. */
export const VERSION: string = manifest.version
