package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	deadline     = 10 * time.Second
	patience     = 2 * time.Minute
	shortestWait = 100 * time.Millisecond
	longestWait  = 5 * time.Second
)

// again repeats a call whose repetition is safe until the gateway answers it.
func again(ctx context.Context, method string, request, reply any, channel *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	var wait time.Duration
	for began := time.Now(); ; wait = pause(ctx, wait) {
		attempt, cancel := context.WithTimeout(ctx, deadline)
		err := call(attempt, method, request, reply, channel, options...)
		cancel()
		if err == nil || !passes(err) || time.Since(began) > patience {
			return err
		}
		wait = max(wait, asked(err))
	}
}
