#!/usr/bin/env node
import '../../convexa.mjs'
